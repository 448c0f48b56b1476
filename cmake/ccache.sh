#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cmake/ccache.sh compiler arguments...: runs the compiler through ccache.
# While a precompiled header is made, an old one must not be there: ccache lets the compiler preprocess, which then names
# the old one in the place of the headers in it. Changes of them would not be seen, and a header of another state returned.
for word; do
  case $word in *.gch) rm -f "$word" ;; esac
done
exec ccache "$@"
