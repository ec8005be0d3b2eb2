CC := gcc
KERNEL := FreeRTOS-Kernel
PORT := $(KERNEL)/portable/ThirdParty/GCC/Posix

SRCS := src/main.c $(addprefix $(KERNEL)/, tasks.c queue.c list.c timers.c portable/MemMang/heap_4.c) \
  $(PORT)/port.c $(PORT)/utils/wait_for_event.c
CFLAGS := -O1 -g -Wall -Iinc -I$(KERNEL)/include -I$(PORT)
LDLIBS := -lpthread

OBJS := $(addprefix build/, $(SRCS:.c=.o))

build/simulation: $(OBJS)
	$(CC) $(OBJS) $(LDLIBS) -o $@

build/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -c $< -o $@
