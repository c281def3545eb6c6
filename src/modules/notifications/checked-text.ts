import type { Token } from "marked"
import type { NotificationKind } from "../../../drizzle/schema/notifications.ts"
import { type FieldErrors, invalidFields } from "../../lib/errors.ts"
import { variablesOf } from "./kinds.ts"
import { parseText, tokensOf, variablesIn } from "./template-text.tsx"
import type { NotificationText } from "./texts/text-catalog.ts"

/** What a text may consist of. */
const ALLOWED_TOKENS = new Set([
  ...["space", "paragraph", "heading", "list", "list_item", "blockquote", "text", "escape"],
  ...["strong", "em", "br", "link"],
])
const NAMES: Record<string, string> = {
  html: "HTML",
  image: "an image",
  table: "a table",
  code: "code",
  codespan: "code",
}

const withDescendants = (tokens: Token[]): Token[] =>
  tokens.flatMap((token) => [token, ...withDescendants(tokensOf(token))])

function problemsOf(kind: NotificationKind, text: string): string[] {
  const variables = variablesOf(kind)
  const unknown = [...new Set(variablesIn(text))].filter((name) => !Object.hasOwn(variables, name))
  if (unknown.length === 0) return []
  const allowed = Object.keys(variables).join(", ")
  return [`has unknown variables: ${unknown.join(", ")}. The allowed ones are ${allowed}`]
}

/** A link leads to a web or mail address, or to what a variable of the type `url` has. */
function isAllowedTarget(kind: NotificationKind, target: string): boolean {
  const [name, ...others] = variablesIn(target)
  if (name === undefined) return /^(https?:\/\/|mailto:)\S+$/i.test(target)
  return others.length === 0 && target === `{{${name}}}` && variablesOf(kind)[name] === "url"
}

function bodyProblems(kind: NotificationKind, body: string): string[] {
  const tokens = withDescendants(parseText(body))
  const refused = [...new Set(tokens.map(({ type }) => type))].filter((type) => !ALLOWED_TOKENS.has(type))
  const targets = tokens.flatMap((token) => (token.type === "link" ? [String(token.href)] : []))
  const wrong = targets.filter((target) => !isAllowedTarget(kind, target))
  return [
    ...refused.map((type) => `must not have ${NAMES[type] ?? type}`),
    ...(wrong.length > 0 ? [`has links that lead nowhere: ${wrong.join(", ")}`] : []),
  ]
}

/** @throws 422 for unknown variables, naming the allowed ones, and for what a mail cannot show */
export function requireValidText(kind: NotificationKind, { subject, body }: NotificationText): void {
  const found: [string, string[]][] = [
    ["subject", problemsOf(kind, subject)],
    ["body", [...problemsOf(kind, body), ...bodyProblems(kind, body)]],
  ]
  const errors: FieldErrors = Object.fromEntries(
    found.flatMap(([field, problems]) =>
      problems.length > 0 ? [[field, problems.map((problem) => `${field} ${problem}.`)]] : [],
    ),
  )
  if (Object.keys(errors).length > 0) throw invalidFields(errors)
}
