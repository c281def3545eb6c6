import { z } from "@hono/zod-openapi"
import { bankQuestions, questionPools } from "../../../drizzle/schema/question-bank.ts"
import { clearable, keepIfNull, name, text } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

export const poolFields = recordFields(questionPools, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(questionPools.name), searched: true },
  description: {
    create: clearable(text(1000), "").openapi({ type: "string" }),
    answer: column(questionPools.description, z.string()),
    searched: true,
  },
})

/** The columns of a pool, alone and in the list. */
export const poolColumns = listColumns({
  id: integerColumn(questionPools.id),
  ...poolFields.answers,
  questionCount: sortedIntegerColumn(questionPools.questionCount),
  created_at: dateColumn(questionPools.createdAt, { sorted: questionPools.createdAt }),
})

/** The columns of the list of bank questions. */
export const bankQuestionColumns = listColumns({
  id: integerColumn(bankQuestions.id),
  poolId: sortedIntegerColumn(bankQuestions.poolId),
  type: column(bankQuestions.type, z.string(), { sort: { sorted: bankQuestions.type } }),
  text: column(bankQuestions.text, z.string()),
  tags: column(bankQuestions.tags, z.array(z.string())),
  version: sortedIntegerColumn(bankQuestions.version),
  created_at: dateColumn(bankQuestions.createdAt, { sorted: bankQuestions.createdAt }),
})
