import { z } from "@hono/zod-openapi"
import { QUESTION_TYPES } from "../../../drizzle/schema/modules.ts"
import {
  boolean,
  choice,
  file,
  id,
  ids,
  integer,
  keepIfNone,
  list,
  name,
  optional,
  requiredText,
  text,
  withDefault,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { assignmentColumns, moduleColumns, moduleCourses, moduleDetailColumns } from "./module-columns.ts"
import { assignmentFields, moduleFields, quizFields, videoFields } from "./module-fields.ts"

const categoryIds = keepIfNone(ids()).openapi({ description: "Module categories; a PUT replaces them" })
const newModule = { ...moduleFields.create, categoryIds }
const moduleChanges = { ...moduleFields.change, categoryIds }

const keptId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

const option = z.object({
  id: keptId("As read: it stays the same option"),
  text: requiredText(2000),
  correct: withDefault(boolean(), false),
})

const question = z
  .object({
    id: keptId("As read: it stays the same question. An id that the quiz has not is passed over"),
    text: requiredText(5000),
    type: choice(QUESTION_TYPES),
    points: withDefault(integer(0, 10_000), 1),
    options: withDefault(list(option, 50), []),
    answers: withDefault(list(requiredText(500), 50), []).openapi({ description: "short: the accepted texts" }),
    categoryId: optional(id()).openapi({ type: "integer", minimum: 1, description: "A question category" }),
  })
  .superRefine(({ type, options, answers }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message })
    const right = options.filter((option) => option.correct).length
    if (type === "short") {
      if (answers.length === 0) wrong("answers", "must name one accepted text or more")
    } else if (options.length < 2) wrong("options", "must have 2 or more")
    else if (type === "truefalse" && options.length !== 2) wrong("options", "must have 2")
    else if (type === "multiple" ? right === 0 : right !== 1)
      wrong("options", `must have ${type === "multiple" ? "one correct or more" : "exactly one correct"}`)
  })
export type Question = z.output<typeof question>

const questions = () => list(question, 500)

export const newText = z.object(newModule).openapi("NewTextModule")
export const newVideo = z.object({ ...newModule, ...videoFields.create }).openapi("NewVideoModule")
export const newQuiz = z.object({ ...newModule, questions: questions(), ...quizFields.create }).openapi("NewQuizModule")
const scormPackage = () => file().openapi({ description: "A SCORM 1.2 or 2004 package: a zip of up to 25 MB" })
export const newScorm = z
  .object({
    ...newModule,
    name: optional(name()).openapi({ type: "string", description: "The package's own title unless given" }),
    content: withDefault(moduleFields.create.content, ""),
    package: scormPackage(),
  })
  .openapi("NewScormModule")
export const scormUpload = z.object({ package: scormPackage() }).openapi("ScormPackage")
/** The message for an assignment of files that takes no type of file. */
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
  .object({ ...moduleChanges, questions: keepIfNone(questions()), ...quizFields.change })
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
        text: z.string(),
        type: z.enum(QUESTION_TYPES),
        points: z.number().int(),
        options: z.array(z.object({ id: z.number().int(), text: z.string(), correct: z.boolean() })),
        answers: z.array(z.string()),
        categoryId: z.number().int().nullable(),
      }),
    ),
  })
  .openapi("QuizModule")
export const scormModule = moduleDetailColumns.scorm.row.extend(detail).openapi("ScormModule")
export const assignmentModule = moduleDetailColumns.assignment.row.extend(detail).openapi("AssignmentModule")

/** A part of a course's name, or its id. */
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
