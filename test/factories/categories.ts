import { categories } from "../../drizzle/schema/categories.ts"
import { searchText } from "../../src/db/search.ts"
import { db, nextId } from "./index.ts"

/** Creates a category; a course category by default. */
export async function category(values: Partial<typeof categories.$inferInsert> = {}) {
  const id = values.id ?? (await nextId("categories"))
  const name = values.name ?? `Category ${id}`
  const time = Date.now()
  const columns = {
    id,
    name,
    nameKey: name.toLowerCase(),
    searchText: searchText(name),
    createdAt: time,
    updatedAt: time,
  }
  const [row] = await db
    .insert(categories)
    .values({ type: "course", ...columns, ...values })
    .returning()
  if (!row) throw new Error("No category")
  return row
}
