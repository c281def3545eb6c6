// How a script is called: its flags, --help, and its ends.
import { type ParseArgsConfig, parseArgs } from "node:util"

/** Ends the script with a message for the person who called it. */
export function fail(message: string, code = 1): never {
  console.error(message)
  process.exit(code)
}

/** Ends a check that could not be made: neither held nor failed. */
export const notRun = (why: string): never => fail(`Not run: ${why}`, 2)

type Told = NonNullable<ParseArgsConfig["options"]>[string] & {
  /** What the flag does. */
  about: string
  /** What its value is: `address`. */
  value?: string
}

/** Beside the flags, environment variables that a script reads, and what each says. */
type Variables = Record<string, string>

function usage(command: string, does: string, options: Record<string, Told>, variables: Variables): string {
  const shown = (value: unknown) => (typeof value === "string" && value !== "" ? ` (${value} unless given)` : "")
  const rows = [
    ...Object.entries(options).map(([name, option]) => [
      `--${name}${option.type === "string" ? ` <${option.value ?? name}>` : ""}`,
      `${option.about}${shown(option.default)}`,
    ]),
    ["--help", "shows this"],
    ...Object.entries(variables),
  ] as [string, string][]
  const width = Math.max(...rows.map(([flag]) => flag.length))
  const lines = rows.map(([flag, about]) => `  ${flag.padEnd(width)}  ${about}`)
  return [`${command}${Object.keys(options).length > 0 ? " -- [flags]" : ""}`, does, "", ...lines].join("\n")
}

/**
 * The flags that a script was called with. `--help` shows them, and one that it does not have is refused by name.
 * @param command as it is called: `npm run owner`
 * @param does what it does, in a sentence
 */
export function flags<const T extends Record<string, Told>>(
  command: string,
  does: string,
  options: T,
  variables: Variables = {},
) {
  tellErrors()
  const help = { type: "boolean", default: false } as const
  const told = () => usage(command, does, options, variables)
  try {
    const { values } = parseArgs({ options: { ...options, help } })
    if ("help" in values && values.help) {
      console.info(told())
      process.exit(0)
    }
    return values as ReturnType<typeof parseArgs<{ options: T }>>["values"]
  } catch (error) {
    return fail(`${error instanceof Error ? error.message.split(". To specify")[0] : error}\n\n${told()}`, 2)
  }
}

/** An error that a script expects is told in a line; a fault of its own, with where it happened. */
function tellErrors() {
  process.on("uncaughtException", (error) => {
    if (error.constructor === Error && !process.env.DEBUG) fail(error.message)
    console.error(error)
    process.exit(1)
  })
}

/** A flag that is a whole number. */
export function count(name: string, text: string, least = 1): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < least) fail(`--${name} must be a whole number from ${least} on.`, 2)
  return number
}
