import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { categories } from "../../../drizzle/categories.ts"
import { COURSE_STATUSES, courseCategories, courses } from "../../../drizzle/courses.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/sheet/common-columns.ts"
import { dateColumn } from "../../lib/sheet/date-columns.ts"
import { nameOfUser, subquery } from "../../lib/sql/sql.ts"

/** The names of a course's categories, and of its author: read with the course. */
export const namesOfCourse = {
  categories: column(
    subquery(sql<string>`coalesce((
      select group_concat(name, ', ')
      from (
        select ${categories.name} as name
        from ${courseCategories}
        join ${categories} on ${categories.id} = ${courseCategories.categoryId}
        where ${courseCategories.courseId} = ${courses.id} and ${categories.deletedAt} is null
        order by 1
      )
    ), '')`),
    z.string().openapi({ description: "Names, separated by commas" }),
  ),
  author: column(subquery(sql<string>`coalesce(${nameOfUser(courses.authorId)}, '')`), z.string()),
}

/** The columns of the list of courses; a course by itself is answered alike. */
export const courseColumns = listColumns({
  id: integerColumn(courses.id),
  name: nameColumn(courses.name),
  slug: textColumn(courses.slug),
  status: column(courses.status, z.enum(COURSE_STATUSES), { sort: courses.status }),
  ...namesOfCourse,
  created_at: dateColumn(courses.createdAt),
})
