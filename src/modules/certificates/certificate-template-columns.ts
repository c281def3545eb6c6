import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { certificateTemplates as templates } from "../../../drizzle/schema/certificates.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

const courseNames = sql<string>`coalesce((
  select group_concat(name, ', ') from (
    select ${courses.name} as name from ${courses}
    where ${courses.certificateTemplateId} = ${templates.id}
    order by 1
  )
), '')`

/** The columns of the list of certificate templates. */
export const templateColumns = listColumns({
  id: integerColumn(templates.id),
  name: nameColumn(templates.name),
  author: column(sql<string>`coalesce(${userName(templates.authorId)}, '')`, z.string()),
  courses: column(courseNames, z.string().openapi({ description: "Names, separated by commas" })),
  created_at: dateColumn(templates.createdAt),
})
