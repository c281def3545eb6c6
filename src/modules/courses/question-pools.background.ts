import { eq, sql } from "drizzle-orm"
import { bankQuestions, questionPools, quizDraws } from "../../../drizzle/schema/question-bank.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { idList, rowExists } from "../../db/sql.ts"

/** Whether a quiz draws from the pool. */
export const isDrawnFrom = () => rowExists(quizDraws, eq(quizDraws.poolId, questionPools.id))

/** Deletes the questions of pools, then the pools. Versions of questions stay for the attempts that have them. */
export const questionPoolDeletion: BackgroundKind<Deletion> = {
  name: "question-pools.delete",
  stages: [
    {
      table: bankQuestions,
      where: ({ ids }) => sql`${bankQuestions.poolId} in ${idList(ids)}`,
      key: [bankQuestions.poolId, bankQuestions.id],
      weight: 8,
      total: ({ ids }) => sql`(
        select coalesce(sum(${questionPools.questionCount}), 0) from ${questionPools}
        where ${questionPools.id} in ${idList(ids)}
      )`,
      change: ({ db }, _, which) => [db.delete(bankQuestions).where(which)],
    },
  ],
  finish: (work, params) => deletionStatements(questionPools, isDrawnFrom())(work, params),
}
