import { categories } from "../drizzle/categories.ts"
import { searchText } from "../src/lib/sql/search.ts"
import { db, nextId } from "./factories.ts"

/** A category, of courses unless told. */
export async function category(given: Partial<typeof categories.$inferInsert> = {}) {
  const id = given.id ?? (await nextId("categories"))
  const name = given.name ?? `Category ${id}`
  const at = Date.now()
  const own = { id, name, nameKey: name.toLowerCase(), searchText: searchText(name), createdAt: at, updatedAt: at }
  const [row] = await db
    .insert(categories)
    .values({ type: "course", ...own, ...given })
    .returning()
  if (!row) throw new Error("No category")
  return row
}
