import { asc, eq, type SQL, sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { courseCategories, courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { existingRecords, requireExisting } from "../../db/records.ts"
import { idList, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { existingCategories } from "./categories.queries.ts"
import type { CourseChanges, CourseModule } from "./courses.schemas.ts"

type References = Pick<
  CourseChanges,
  "categoryIds" | "modules" | "prerequisites" | "authorId" | "certificateTemplateId"
>
const modulesOf = ({ modules = [] }: References) => modules.map((row) => row.module_id)
const authorOf = ({ authorId }: References) => (authorId === undefined ? [] : [authorId])
const templateOf = ({ certificateTemplateId: id }: References) => (id ? [id] : [])

/** Selects the referenced records that exist. */
export const selectReferences = (db: Database, input: References) =>
  [
    existingCategories(db, "course", input.categoryIds ?? []),
    existingRecords(db, modules, modulesOf(input)),
    existingRecords(db, users, authorOf(input)),
    existingRecords(db, certificateTemplates, templateOf(input)),
    existingRecords(db, courses, input.prerequisites ?? []),
  ] as const

type Ids = { id: number }[]

/** @throws 422 for the first field with a reference to an unknown record */
export function requireReferences(
  input: References,
  [categoryRows, moduleRows, authorRows, templateRows, prerequisiteRows]: [Ids, Ids, Ids, Ids, Ids],
) {
  requireExisting("categoryIds", input.categoryIds ?? [], categoryRows)
  requireExisting("modules", modulesOf(input), moduleRows)
  requireExisting("authorId", authorOf(input), authorRows)
  requireExisting("certificateTemplateId", templateOf(input), templateRows)
  requireExisting("prerequisites", input.prerequisites ?? [], prerequisiteRows)
}

/** Guards that the template was not deleted concurrently. */
export const guardTemplateExists = (work: UnitOfWork, input: References) =>
  templateOf(input).map((id) => work.guard(rowExists(certificateTemplates, sql`${certificateTemplates.id} = ${id}`)))

/** Selects the course's categories that are not deleted. */
export const selectCourseCategories = (db: Database, courseId: number | SQL) =>
  db
    .select({ id: courseCategories.categoryId })
    .from(courseCategories)
    .innerJoin(categories, eq(categories.id, courseCategories.categoryId))
    .where(sql`${courseCategories.courseId} = ${courseId} and ${categories.deletedAt} is null`)
    .orderBy(asc(courseCategories.categoryId))

/** Selects the course's modules in order, in the form of a request. */
export const selectCourseModules = (db: Database, courseId: number) =>
  db
    .select({
      module_id: courseModules.moduleId,
      required: courseModules.required,
      isLocked: courseModules.isLocked,
      dripDays: courseModules.dripDays,
      minTimeSpent: courseModules.minTimeSpent,
      opensAt: courseModules.opensAt,
    })
    .from(courseModules)
    .where(eq(courseModules.courseId, courseId))
    .orderBy(asc(courseModules.position))

export const setCategories = (db: Database, courseId: number, ids: number[]): Statement[] => [
  db.delete(courseCategories).where(eq(courseCategories.courseId, courseId)),
  insertFrom(db, courseCategories, { courseId, categoryId: sql`value` }, sql`from ${idList(ids)} where true`),
]

/** Replaces a course's modules. If none is required, all of them count toward completion. */
export function setModules(db: Database, courseId: number, rows: CourseModule[]): Statement[] {
  const noneRequired = !rows.some((row) => row.required)
  const numbered = rows.map((row, at) => ({ ...row, position: at + 1, counts: noneRequired || row.required }))
  return [
    db.delete(courseModules).where(eq(courseModules.courseId, courseId)),
    insertFrom(
      db,
      courseModules,
      {
        courseId,
        moduleId: jsonField("module_id"),
        position: jsonField("position"),
        required: jsonField("required"),
        counts: jsonField("counts"),
        isLocked: jsonField("isLocked"),
        dripDays: jsonField("dripDays"),
        minTimeSpent: jsonField("minTimeSpent"),
        opensAt: jsonField("opensAt"),
      },
      sql`from ${rowList(numbered)} where true`,
    ),
  ]
}
