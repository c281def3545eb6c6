// Shared by all command-line programs: flags with --help, and one-line errors.
import { spawnSync } from "node:child_process"
import { type ParseArgsConfig, parseArgs } from "node:util"

/** Ends the program with a message. */
export function fail(message: string, code = 1): never {
  console.error(message)
  process.exit(code)
}

type Flag = NonNullable<ParseArgsConfig["options"]>[string] & {
  about: string
  /** A word for its value: `address`. */
  value?: string
}

function usage(synopsis: string, about: string, rows: (readonly [name: string, about: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return [synopsis, about, "", ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)].join("\n")
}

function flagRow([name, { type, value, about, default: preset }]: [string, Flag]) {
  const argument = type === "string" ? ` <${value ?? name}>` : ""
  return [
    `--${name}${argument}`,
    `${about}${typeof preset === "string" && preset ? ` (default: ${preset})` : ""}`,
  ] as const
}

/**
 * Parses the flags of this program. `--help` prints them; an unknown flag ends the program with status 2.
 * @param command how the program is called: `npm run owner`
 * @param variables the environment variables that it reads
 */
export function flags<const T extends Record<string, Flag>>(
  command: string,
  about: string,
  options: T,
  variables: Record<string, string> = {},
) {
  printExpectedErrors()
  const help = { type: "boolean", default: false } as const
  const separator = command.includes(" -- ") ? "" : " --"
  const synopsis = Object.keys(options).length > 0 ? `${command}${separator} [flags]` : command
  const rows = [
    ...Object.entries(options).map(flagRow),
    ["--help", "show this help"] as const,
    ...Object.entries(variables),
  ]
  try {
    const { values } = parseArgs({ options: { ...options, help } })
    if ("help" in values && values.help) {
      console.info(usage(synopsis, about, rows))
      process.exit(0)
    }
    return values as ReturnType<typeof parseArgs<{ options: T }>>["values"]
  } catch (error) {
    const message = error instanceof Error ? error.message.split(". To specify")[0] : error
    return fail(`${message}\n\n${usage(synopsis, about, rows)}`, 2)
  }
}

/** Prints an expected `Error` in one line, and others with their stack. */
function printExpectedErrors() {
  process.on("uncaughtException", (error) => {
    if (error.constructor === Error && !process.env.DEBUG) fail(error.message)
    console.error(error)
    process.exit(1)
  })
}

/** The value of a flag that is a whole number. */
export function integer(name: string, text: string, min = 1): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < min) fail(`--${name} must be an integer of at least ${min}.`, 2)
  return number
}

interface Subcommand {
  about: string
  /** A program, with its first arguments. */
  run: readonly string[]
}

/** Runs the subcommand that the first argument names, with the other arguments. */
export function runSubcommand(command: string, about: string, subcommands: Record<string, Subcommand>, cwd: string) {
  const [name = "--help", ...rest] = process.argv.slice(2)
  const subcommand = subcommands[name]
  if (!subcommand) {
    const rows = Object.entries(subcommands).map(([name, { about }]) => [name, about] as const)
    const text = usage(`${command} -- <name> [flags]`, about, rows)
    if (name !== "--help") fail(`Unknown name '${name}'\n\n${text}`, 2)
    console.info(text)
    return
  }
  const [program = "", ...args] = subcommand.run
  const { status } = spawnSync(program, [...args, ...rest], { cwd, stdio: "inherit" })
  process.exitCode = status ?? 1
}
