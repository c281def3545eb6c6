import { number, percent, t } from "../../messages/messages.ts"
import { formatDuration } from "../../ui/duration.ts"
import type { CourseModule } from "./module-props.ts"
import { SECONDS_PER_MINUTE } from "./quiz-countdown.tsx"

export type Quiz = NonNullable<CourseModule["quiz"]>

/** The rules of the quiz, shown before an attempt starts. */
export const QuizRules = ({ quiz }: { quiz: Quiz }) => (
  <dl class="facts">
    <dt>{t("learner:quiz.questions")}</dt>
    <dd>{number(quiz.questions)}</dd>
    <dt>{t("learner:quiz.time")}</dt>
    <dd>
      {quiz.time_limit_minutes > 0
        ? formatDuration(quiz.time_limit_minutes * SECONDS_PER_MINUTE)
        : t("learner:quiz.time.none")}
    </dd>
    <dt>{t("learner:quiz.pass")}</dt>
    <dd>
      {quiz.pass_percent > 0
        ? t("learner:quiz.pass.of", { percent: percent(quiz.pass_percent / 100) })
        : t("learner:quiz.pass.any")}
    </dd>
    <dt>{t("learner:quiz.attempts")}</dt>
    <dd>
      {quiz.max_attempts > 0
        ? t("learner:quiz.attempts.of", { used: number(quiz.attempts_used), of: number(quiz.max_attempts) })
        : t("learner:quiz.attempts.unlimited", { used: number(quiz.attempts_used) })}
    </dd>
  </dl>
)
