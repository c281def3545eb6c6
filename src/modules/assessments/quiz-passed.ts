import { type SQL, sql } from "drizzle-orm"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { QuizResult } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { onAchievement } from "../gamification/awards.ts"

/** Grants awards for passed attempts. @param condition a condition on attempts that just ended */
export const onQuizPassed = ({ db }: UnitOfWork, condition: SQL): Statement =>
  onAchievement(
    db,
    "quiz_passed",
    { userId: quizAttempts.userId, targetId: quizAttempts.moduleId, at: quizAttempts.completedAt },
    { from: quizAttempts, where: sql`${condition} and ${quizAttempts.result} = ${literal(QuizResult.Passed)}` },
  )
