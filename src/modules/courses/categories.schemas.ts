import { z } from "@hono/zod-openapi"
import { CATEGORY_TYPES, type CategoryType } from "../../../drizzle/schema/categories.ts"
import { choice, name, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { isoSchema, isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { categoryColumns } from "./category-columns.ts"

export type { CategoryType }

export const newCategory = z
  .object({ category_name: name(), categoryType: choice(CATEGORY_TYPES) })
  .openapi("NewCategory")
export type NewCategory = z.output<typeof newCategory>

/** Responses call the field `name`: accepts it in place of `category_name`. */
const foldName = (body: unknown) =>
  typeof body === "object" && body !== null && "name" in body && !("category_name" in body)
    ? { ...body, category_name: body.name }
    : body

export const categoryChanges = z
  .preprocess(foldName, z.object({ category_name: name() }))
  .openapi("CategoryChanges", { description: "`name` is accepted in place of category_name" })

export const category = z
  .object({
    id: z.number().int(),
    name: z.string(),
    type: z.enum(CATEGORY_TYPES),
    created_by: z.number().int().nullable().openapi({ description: "A user's id; null for an anonymous request" }),
    updated_by: z.number().int().nullable(),
    deleted_by: z.number().int().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
    createdAt: isoSchema(),
    updatedAt: isoSchema(),
    deletedAt: isoSchemaOrNull(),
  })
  .openapi("Category")

export const categoryListQuery = listQuery(Object.keys(categoryColumns.sort), { categoryName: optional(text(100)) })
export const categoryList = listResponse(categoryColumns.row.openapi("CategoryRow"))

export const categoryLookup = z.array(z.object({ id: z.number().int(), name: z.string() }))
