# @title@
#
#   find_package(@name@ CONFIG REQUIRED)
#   target_link_libraries(program PRIVATE @name@::@name@)
#
# Compiled with the program, for the machine that it is for.
if(NOT TARGET @name@::@name@)
  enable_language(C)
@dependencies@  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" @name@_machine)
@machines@  add_library(@name@ STATIC@any@ ${@name@_sources})
  add_library(@name@::@name@ ALIAS @name@)
  target_include_directories(@name@ PUBLIC "${CMAKE_CURRENT_LIST_DIR}")
  target_compile_options(@name@ PRIVATE @flags@)
  target_link_libraries(@name@ PUBLIC @linked@)
endif()
