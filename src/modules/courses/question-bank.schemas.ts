import { z } from "@hono/zod-openapi"
import { QUESTION_TYPES } from "../../../drizzle/schema/modules.ts"
import { choice, id, line, list, optional, text, withDefault } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { checkQuestion, questionAnswer, questionFields } from "./question-content.ts"
import { bankQuestionColumns, poolColumns, poolFields } from "./question-pool-fields.ts"

export const newPool = z.object(poolFields.create).openapi("NewQuestionPool")
export type NewPool = z.output<typeof newPool>

export const poolChanges = z.object(poolFields.change).openapi("QuestionPoolChanges")
export type PoolChanges = z.output<typeof poolChanges>

const poolRow = poolColumns.row.openapi("QuestionPoolRow")
export const poolListQuery = listQuery(Object.keys(poolColumns.sort), { name: optional(text(255)) })
export const poolList = listResponse(poolRow)
export const pool = poolColumns.row
  .extend({
    tags: z
      .array(z.object({ tag: z.string(), questions: z.number().int() }))
      .openapi({ description: "The tags of its questions, with the number of questions" }),
  })
  .openapi("QuestionPool")

const tags = () =>
  withDefault(
    list(line(50), 20).transform((all) => [...new Set(all)]),
    [],
  ).openapi({ type: "array", items: { type: "string", maxLength: 50 }, maxItems: 20 })

const EXAMPLE = {
  text: "What is 2 + 2?",
  type: "numeric",
  numeric: { value: 4, tolerance: 0, unit: "" },
  tags: ["sums"],
}

/** A whole question: a change replaces it, because its fields depend on each other. */
const question = { ...questionFields, tags: tags() }
export const newBankQuestion = z
  .object({ poolId: id(), ...question })
  .superRefine(checkQuestion)
  .openapi("NewBankQuestion", { example: { poolId: 1, ...EXAMPLE } })
export type NewBankQuestion = z.output<typeof newBankQuestion>

export const bankQuestionChanges = z
  .object({ poolId: optional(id()), ...question })
  .superRefine(checkQuestion)
  .openapi("BankQuestionChanges", { example: EXAMPLE })
export type BankQuestionChanges = z.output<typeof bankQuestionChanges>

export const bankQuestion = z
  .object({
    id: z.number().int(),
    poolId: z.number().int(),
    ...questionAnswer,
    tags: z.array(z.string()),
    version: z.number().int().openapi({ description: "Increases with each change. Attempts keep their version" }),
  })
  .openapi("BankQuestion")

export const bankQuestionListQuery = listQuery(Object.keys(bankQuestionColumns.sort), {
  poolId: optional(id()),
  text: optional(text(255)),
  tag: optional(line(50)),
  type: optional(choice(QUESTION_TYPES)),
})
export const bankQuestionList = listResponse(bankQuestionColumns.row.openapi("BankQuestionRow"))
