import { z } from "@hono/zod-openapi"
import {
  file,
  id,
  ids,
  integer,
  keepIfNone,
  line,
  list,
  name,
  optional,
  text,
  withDefault,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { assignmentColumns, moduleColumns, moduleCourses, moduleDetailColumns } from "./module-columns.ts"
import { assignmentFields, moduleFields, quizFields, videoFields } from "./module-fields.ts"
import { checkQuestion, questionAnswer, questionFields } from "./question-content.ts"

const categoryIds = keepIfNone(ids()).openapi({ description: "Module categories. PUT replaces them" })
const newModule = { ...moduleFields.create, categoryIds }
const moduleChanges = { ...moduleFields.change, categoryIds }

const existingId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const question = z
  .object({
    id: existingId("The id of an existing question, to keep it. Unknown ids are ignored"),
    ...questionFields,
    points: withDefault(integer(0, 10_000), 1),
    categoryId: optional(id()).openapi({ type: "integer", minimum: 1, description: "A question category" }),
  })
  .superRefine(checkQuestion)
export type Question = z.output<typeof question>

const questions = () => list(question, 500)

/** The most questions that an attempt can have. */
const MAX_DRAWN = 500
const draw = z.object({
  poolId: id(),
  tag: withDefault(line(50), "").openapi({ description: "Only with this tag" }),
  count: integer(1, MAX_DRAWN),
  points: withDefault(integer(0, 10_000), 1).openapi({ description: "Per question" }),
})
export type Draw = z.output<typeof draw>
const draws = () =>
  keepIfNone(
    list(draw, 50).refine((all) => all.reduce((sum, { count }) => sum + count, 0) <= MAX_DRAWN, {
      error: `must draw ${MAX_DRAWN} questions or fewer`,
    }),
  ).openapi({ description: "Drawn from pools at random, after `questions`" })

export const newText = z.object(newModule).openapi("NewTextModule")
export const newVideo = z.object({ ...newModule, ...videoFields.create }).openapi("NewVideoModule")
export const newQuiz = z
  .object({ ...newModule, questions: questions(), draws: draws(), ...quizFields.create })
  .openapi("NewQuizModule")
const scormPackage = () => file().openapi({ description: "A SCORM 1.2 or 2004 package: a zip file of up to 25 MB" })
export const newScorm = z
  .object({
    ...newModule,
    name: optional(name()).openapi({ type: "string", description: "Defaults to the package's title" }),
    content: withDefault(moduleFields.create.content, ""),
    package: scormPackage(),
  })
  .openapi("NewScormModule")
export const scormUpload = z.object({ package: scormPackage() }).openapi("ScormPackage")
/** The error for a file assignment without file types. */
export const FILETYPES_REQUIRED = "is required when submission_type is file"
export const newAssignment = z
  .object({ ...newModule, ...assignmentFields.create })
  .superRefine((input, context) => {
    if (input.submission_type === "file" && !input.allowed_filetypes?.length)
      context.addIssue({ code: "custom", path: ["allowed_filetypes"], message: FILETYPES_REQUIRED })
  })
  .openapi("NewAssignmentModule")
export const textChanges = z.object(moduleChanges).openapi("TextModuleChanges")
export const videoChanges = z.object({ ...moduleChanges, ...videoFields.change }).openapi("VideoModuleChanges")
export const quizChanges = z
  .object({ ...moduleChanges, questions: keepIfNone(questions()), draws: draws(), ...quizFields.change })
  .openapi("QuizModuleChanges")
export const assignmentChanges = z
  .object({ ...moduleChanges, ...assignmentFields.change })
  .openapi("AssignmentModuleChanges")
export const scormChanges = z.object(moduleChanges).openapi("ScormModuleChanges")

const detail = {
  categoryIds: z.array(z.number().int()),
  showMappedCourses: z.boolean(),
  courses: moduleCourses,
}

export const textModule = moduleDetailColumns.text.row.extend(detail).openapi("TextModule")
export const videoModule = moduleDetailColumns.video.row.extend(detail).openapi("VideoModule")
export const quizModule = moduleDetailColumns.quiz.row
  .extend({
    ...detail,
    questions: z.array(
      z.object({
        id: z.number().int(),
        ...questionAnswer,
        points: z.number().int(),
        categoryId: z.number().int().nullable(),
      }),
    ),
    draws: z.array(
      z.object({ poolId: z.number().int(), tag: z.string(), count: z.number().int(), points: z.number().int() }),
    ),
  })
  .openapi("QuizModule")
export const scormModule = moduleDetailColumns.scorm.row.extend(detail).openapi("ScormModule")
export const assignmentModule = moduleDetailColumns.assignment.row.extend(detail).openapi("AssignmentModule")

/** Part of a course's name, or its id. */
const associatedCourse = () =>
  optional(z.preprocess((value) => (typeof value === "number" ? String(value) : value), text(100)))

export const moduleListQuery = listQuery(Object.keys(moduleColumns.sort), {
  associatedCourse: associatedCourse(),
  moduleName: optional(text(100)),
})
export const moduleList = listResponse(moduleColumns.row.openapi("ModuleRow"))

export const assignmentListQuery = listQuery(Object.keys(assignmentColumns.sort), {
  associatedCourse: associatedCourse(),
  moduleName: optional(text(100)),
})
export const assignmentList = listResponse(assignmentColumns.row.openapi("AssignmentModuleRow"))
