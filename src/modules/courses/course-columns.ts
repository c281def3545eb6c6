import { z } from "@hono/zod-openapi"
import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { courseCategories, courses } from "../../../drizzle/schema/courses.ts"
import { subquery, userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn, updatedAtColumn } from "../../lib/spreadsheet/date-columns.ts"
import { externalIdColumn } from "../../lib/spreadsheet/external-id-column.ts"
import { courseFields } from "./course-fields.ts"
import { averageRatingSql } from "./ratings.ts"
import { seatsTaken } from "./seats.ts"

/** Selects a course's name by its id. */
export const selectCourseName = (courseId: SQLWrapper): SQL<string> =>
  subquery(sql<string>`(
    select ${courses.name}
    from ${courses}
    where ${courses.id} = ${courseId}
  )`)

/** The names of the course's categories and author. */
export const categoryAndAuthorColumns = {
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
    z.string().openapi({ description: "Category names, separated by commas" }),
  ),
  author: column(subquery(sql<string>`coalesce(${userName(courses.authorId)}, '')`), z.string()),
}

const sharedColumns = {
  id: integerColumn(courses.id),
  ...courseFields.listed,
  ...categoryAndAuthorColumns,
  created_at: dateColumn(courses.createdAt),
  updatedAt: updatedAtColumn(courses.updatedAt),
}

/** The columns of the list of courses. */
export const courseColumns = listColumns({ ...sharedColumns, externalId: externalIdColumn("course", courses.id) })

/** The columns of one course. */
export const courseDetailColumns = listColumns({
  ...sharedColumns,
  ...courseFields.answers,
  usedSeats: column(seatsTaken, z.number().int().openapi({ description: "The number of enrollments" })),
  rating: column(
    averageRatingSql(courses.ratingSum, courses.ratingCount),
    z.number().openapi({ description: "The average rating; 0 if there are none" }),
  ),
})
