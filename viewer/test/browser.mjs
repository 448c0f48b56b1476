// SPDX-License-Identifier: Apache-2.0
// Chromium with drawing by the processor, as on a machine without a graphics card.
import { chromium } from 'playwright-core';

const ARGS = ['--no-sandbox', '--enable-unsafe-swiftshader', '--disable-background-networking'];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS });
