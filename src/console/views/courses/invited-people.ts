/** A person in a pasted list of addresses. */
export interface InvitedPerson {
  email: string
  first_name: string
  last_name: string
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** `ada.lovelace@example.com` is probably Ada Lovelace. */
const nameFromEmail = (email: string) =>
  (email.split("@")[0] ?? "")
    .split(/[._+\d-]+/)
    .filter(Boolean)
    .map(capitalize)
    .join(" ") || email

/**
 * Reads addresses that are separated by lines, commas or semicolons, each with an optional name:
 * `Ada Lovelace <ada@example.com>`.
 * @returns each address once, and the parts without one
 */
export function parsePeople(text: string): { people: InvitedPerson[]; invalid: string[] } {
  const people = new Map<string, InvitedPerson>()
  const invalid: string[] = []
  for (const part of text.split(/[\n,;]+/).map((line) => line.trim())) {
    if (part === "") continue
    const [, name = "", email] = /^"?([^"<]*?)"?\s*<?([^\s<>@]+@[^\s<>@]+\.[^\s<>@]+)>?$/.exec(part) ?? []
    if (!email) {
      invalid.push(part)
      continue
    }
    const [first_name = "", ...others] = (name.trim() || nameFromEmail(email)).split(/\s+/)
    people.set(email.toLowerCase(), { email, first_name, last_name: others.join(" ") })
  }
  return { people: [...people.values()], invalid }
}
