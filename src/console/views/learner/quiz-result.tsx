import type { DataOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { QuizReview } from "../../ui/quiz-review.tsx"
import { Time } from "../../ui/time.tsx"

type Attempt = DataOf<"/api/quiz/attempts", "get">["attempts"][number]

/** The questions of a submitted attempt, as far as the author allows it. */
export const AttemptReview = ({ attemptId }: { attemptId: number }) => {
  const review = useRead("/api/quiz/attempt/{id}", { params: { path: { id: attemptId } } })
  return (
    <Loaded query={review}>
      {(attempt) =>
        attempt.questions.length === 0 ? (
          <p class="quiet">{t("learner:quiz.review.hidden")}</p>
        ) : (
          <QuizReview attempt={attempt} />
        )
      }
    </Loaded>
  )
}

const AttemptRow = ({ attempt }: { attempt: Attempt }) => (
  <li>
    <details>
      <summary>
        {t("learner:quiz.attempt", { number: number(attempt.attempt) })}{" "}
        {attempt.result && (
          <Badge status={attempt.result === "pending" ? "submitted" : attempt.result}>
            {t(`learner:quiz.result.${attempt.result}`)}
          </Badge>
        )}{" "}
        <span class="quiet">
          {percent(attempt.percent / 100)} · <Time value={attempt.submittedAt ?? attempt.startedAt} />
        </span>
      </summary>
      <AttemptReview attemptId={attempt.attemptId} />
    </details>
  </li>
)

/** The submitted attempts, the newest first, each with its review. */
export function AttemptList({ registrationId, moduleId }: { registrationId: number; moduleId: number }) {
  const { data } = useRead("/api/quiz/attempts", { params: { query: { registrationId, moduleId } } })
  const submitted = data?.attempts.filter(({ status }) => status === "Completed").reverse() ?? []
  if (submitted.length === 0) return null
  return (
    <section aria-labelledby="attempts">
      <h3 id="attempts">{t("learner:quiz.your-attempts")}</h3>
      <ul class="attempts">
        {submitted.map((attempt) => (
          <AttemptRow key={attempt.attemptId} attempt={attempt} />
        ))}
      </ul>
    </section>
  )
}
