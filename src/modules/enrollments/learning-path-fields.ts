import { z } from "@hono/zod-openapi"
import { learningPaths, PATH_TYPES } from "../../../drizzle/schema/learning-paths.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { choice, clearable, keepIfNull, name, optional } from "../../lib/input/input.ts"
import { column } from "../../lib/spreadsheet/columns.ts"
import { nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { imageUrl } from "../courses/course-fields.ts"

export const pathFields = recordFields(learningPaths, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(learningPaths.name), searched: true },
  slug: { answer: textColumn(learningPaths.slug) },
  type: {
    create: optional(choice(PATH_TYPES)).openapi({
      description: "Defaults to public. A private path is visible only to enrolled users",
    }),
    answer: column(learningPaths.type, z.enum(PATH_TYPES), { sort: learningPaths.type }),
  },
  featuredImageUrl: {
    create: clearable(imageUrl()),
    answer: column(learningPaths.featuredImageUrl, z.string().nullable(), {
      sort: { sorted: sortPrefix(learningPaths.featuredImageUrl) },
    }),
  },
})
