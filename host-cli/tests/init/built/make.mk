CC := arm-none-eabi-gcc
CPU := -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard
KERNEL := FreeRTOS-Kernel

SRCS := $(wildcard src/*.c) \
  $(addprefix board/, startup.c board.c failed.c semihost.c) \
  $(addprefix $(KERNEL)/, tasks.c queue.c list.c timers.c event_groups.c stream_buffer.c) \
  $(KERNEL)/portable/GCC/ARM_CM4F/port.c $(KERNEL)/portable/MemMang/heap_4.c
INCLUDES := -I. -Isrc -Iboard -I$(KERNEL)/include -I$(KERNEL)/portable/GCC/ARM_CM4F

CFLAGS := $(CPU) -g -Wall -ffunction-sections $(INCLUDES)
LDFLAGS := $(CPU) -nostartfiles --specs=nano.specs -Tboard/mps2.ld -Wl,--gc-sections

OBJS := $(addprefix build/, $(SRCS:.c=.o))

build/firmware.elf: $(OBJS)
	$(CC) $(OBJS) $(LDFLAGS) -o $@

build/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(CFLAGS) -c $< -o $@
