// SPDX-License-Identifier: Apache-2.0
// Pointing at elements in the scene: hover to see the name, click to select.
import { Raycaster, Vector2, type Camera } from 'three';
import type { Model } from './model';
import type { Id, State } from './state';

export function enablePicking(
  surface: HTMLElement,
  camera: Camera,
  model: Model,
  state: State,
  onOpen: (id: Id) => void,
): void {
  const raycaster = new Raycaster();

  const at = (event: MouseEvent): Id | null => {
    const rect = surface.getBoundingClientRect();
    const point = new Vector2(
      ((event.clientX - rect.left) / rect.width) * 2 - 1,
      1 - ((event.clientY - rect.top) / rect.height) * 2,
    );
    raycaster.setFromCamera(point, camera);
    const hits = model.pick(raycaster);
    // In the x-ray view a joint is seen through the body around it, so it wins.
    return (state.options.xray ? hits.find((id) => id.startsWith('joint')) : undefined) ?? hits[0] ?? null;
  };

  let pressed: { x: number; y: number } | null = null;
  let pending: PointerEvent | null = null;
  surface.addEventListener('pointerdown', (event) => {
    pressed = { x: event.clientX, y: event.clientY };
  });
  surface.addEventListener('pointerup', (event) => {
    // A drag turns the view and must not select.
    if (pressed && event.button === 0 && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) {
      const id = at(event);
      state.select(id?.startsWith('ground') ? null : id);
    }
    pressed = null;
  });
  surface.addEventListener('dblclick', (event) => {
    const id = at(event);
    if (id) onOpen(id);
  });
  surface.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch' || event.buttons !== 0) return;
    if (!pending)
      requestAnimationFrame(() => {
        const id = pending ? at(pending) : null;
        pending = null;
        state.hover(id?.startsWith('ground') ? null : id);
        surface.style.cursor = state.hovered ? 'pointer' : '';
      });
    pending = event;
  });
  surface.addEventListener('pointerleave', () => state.hover(null));
}
