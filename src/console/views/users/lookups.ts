import type { Options } from "../../ui/form.tsx"

/** As much of a lookup as a box of choices shows. */
export const CHOICES = { params: { query: { page_size: 100, page_number: 1 } } }

export const categoryOptions = (categories: readonly { id: number; name: string }[] = []): Options =>
  categories.map(({ id, name }) => ({ value: id, label: name }))

/**
 * The categories that a list names, joined by commas.
 * @returns undefined: the names do not tell which they are, for there are more than were read, or two are alike
 */
export function categoriesNamed(text: string, known: readonly { id: number; name: string }[]) {
  const within = `, ${text}, `
  const found = known.filter(({ name }) => within.includes(`, ${name}, `))
  const written = found.map(({ name }) => name).sort((a, b) => a.localeCompare(b))
  return written.join(", ") === text ? found.map(({ id }) => id) : undefined
}
