# @title@
#
#   find_package(@name@ CONFIG REQUIRED)
#   target_link_libraries(program PRIVATE @name@::@name@)
if(NOT TARGET @name@::@name@)
@dependencies@  add_library(@name@::@name@ STATIC IMPORTED)
  set_target_properties(@name@::@name@ PROPERTIES
    IMPORTED_LOCATION "${CMAKE_CURRENT_LIST_DIR}/lib@name@.a"
    IMPORTED_LINK_INTERFACE_LANGUAGES C
    INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR}"
    INTERFACE_LINK_LIBRARIES "@linked@")
endif()
