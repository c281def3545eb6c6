import { categories } from "../../drizzle/schema/categories.ts"
import { searchText } from "../../src/db/search.ts"
import { db, nextId } from "./index.ts"

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
