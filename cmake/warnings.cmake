# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The one list of warnings.  Errors in CI, and wherever LAYOUT_WERROR is on.
if(DEFINED ENV{CI})
  set(layout_in_ci ON)
else()
  set(layout_in_ci OFF)
endif()
option(LAYOUT_WERROR "Warnings are errors" ${layout_in_ci})

# A row of a table may end where the rest of it is 0.
set(LAYOUT_WARNINGS
  -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wundef -Wvla)
if(LAYOUT_WERROR)
  list(APPEND LAYOUT_WARNINGS -Werror)
endif()
