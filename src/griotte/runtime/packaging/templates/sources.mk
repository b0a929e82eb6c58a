# @title@
#
#   make -f @name@.mk CC=@machine@-linux-gnu-gcc
#
# The static library for the machine that CC compiles for, in a folder that is called as that is: @machines@.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
@names@
FLAGS := @flags@
@each@
OBJECTS := $(addprefix $(MACHINE)/,@any@ $(OBJECTS_$(MACHINE)))

$(MACHINE)/lib@name@.a: $(OBJECTS)
	rm -f $@ && $(AR) rcs $@ $^

$(MACHINE)/%.o: %.c @name@.h
	mkdir -p $(MACHINE) && $(CC) $(FLAGS) $(FLAGS_$*) -c $< -o $@
