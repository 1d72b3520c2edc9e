#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "console.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

int sim_command_usage(const sim_command *command, const char *problem, const char *about)
{
    fprintf(stderr, "%s: %s%s\nusage: %s %s\n", command->program, problem, about, command->program,
            command->usage);
    return SIM_USAGE;
}

static const sim_option *found(const sim_option *options, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, name) == 0)
            return &options[i];
    return NULL;
}

bool sim_command_read(sim_command *command, int argc, char **argv, const sim_option *others,
                      size_t count)
{
    const sim_option shared[] = {
        {.name = "--mcu", .text = &command->mcu},
        {.name = "--clock", .number = &command->clock, .most = UINT32_MAX},
        {.name = "--budget", .number = &command->budget, .most = UINT64_MAX - 1},
        {.name = "--stack", .flag = &command->stack},
    };
    command->budget = UINT64_MAX;
    for (int i = 1; i < argc; i++) {
        const char *const name = argv[i];
        const sim_option *option = found(shared, COUNT(shared), name);
        bool right = false;
        if (option == NULL)
            option = found(others, count, name);
        if (option == NULL) {
            right = name[0] != '-' && command->path == NULL;
            if (right)
                command->path = name;
        } else if (option->flag != NULL) {
            right = *option->flag = true;
        } else if (i + 1 < argc) {
            i++;
            right = option->number == NULL || sim_number(argv[i], option->most, option->number);
            if (option->text != NULL)
                *option->text = argv[i];
        }
        if (!right) {
            (void)sim_command_usage(command, "unknown option or invalid value: ", name);
            return false;
        }
    }
    if (command->mcu == NULL || command->path == NULL || command->clock == 0) {
        (void)sim_command_usage(command, "--mcu, --clock and FIRMWARE.elf are required", "");
        return false;
    }
    return true;
}

void sim_command_fault(const sim_command *command, const sim_program *program,
                       const sim_fault *fault)
{
    const sim_symbol *function = sim_program_function(program, fault->pc);
    fprintf(stderr,
            "%s: %s: %s (0x%08" PRIx32 "), at address 0x%08" PRIx32 "%s%s after %" PRIu64 " cycles",
            command->program, fault->kind, fault->what, fault->address, fault->pc,
            function != NULL ? " in " : "", function != NULL ? function->name : "", fault->cycles);
    if (fault->missing != 0)
        fprintf(stderr, ": %" PRIu32 " bytes of RAM are missing", fault->missing);
    if (fault->hint != NULL)
        fprintf(stderr, "; %s", fault->hint);
    fputc('\n', stderr);
}

int sim_command_budget(const sim_command *command, uint32_t pc)
{
    fprintf(stderr, "%s: the budget of %" PRIu64 " cycles is used up, at address 0x%08" PRIx32 "\n",
            command->program, command->budget, pc);
    return SIM_BUDGET;
}
