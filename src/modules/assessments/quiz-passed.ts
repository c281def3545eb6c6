import { type SQL, sql } from "drizzle-orm"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { QuizResult } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { onAchievement } from "../gamification/awards.ts"

/** Rewards attempts at quizzes, as far as they are passed. @param which a condition on attempts that just ended */
export const onQuizPassed = ({ db }: UnitOfWork, which: SQL): Statement =>
  onAchievement(
    db,
    "quiz_passed",
    { userId: quizAttempts.userId, targetId: quizAttempts.moduleId, at: quizAttempts.completedAt },
    { from: quizAttempts, where: sql`${which} and ${quizAttempts.result} = ${literal(QuizResult.Passed)}` },
  )
