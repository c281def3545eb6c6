import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Figure } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"

/** Ten bins of ten percent; the last of them has 100 too. */
const BINS = Array.from({ length: 10 }, (_, at) => ({ from: at * 10, to: at === 9 ? 100 : at * 10 + 9 }))

/** How the attempts at a quiz scored. */
export function QuizScores({ course, quiz }: { course: number; quiz: number }) {
  const report = useRead("/api/quiz-report/scores", { params: { query: { course_id: course, module_id: quiz } } })
  const series = t("reports:attempts")
  const nameOf = ({ from, to }: (typeof BINS)[number]) => `${number(from)}–${number(to)}`
  return (
    <Loaded of={report}>
      {({ name, attempts, passed, scores }) => (
        <Figure
          title={t("reports:scores.title", { name })}
          about={t("reports:scores.about", {
            count: attempts,
            shown: number(attempts),
            passed: number(passed),
          })}
          kind="bars"
          axis={t("reports:percent")}
          series={[series]}
          places={BINS.map(nameOf)}
          points={BINS.map((bin) => ({
            series,
            at: nameOf(bin),
            value: scores
              .filter(({ percent }) => percent >= bin.from && percent <= bin.to)
              .reduce((sum, one) => sum + one.attempts, 0),
          }))}
          filename="quiz-scores"
        />
      )}
    </Loaded>
  )
}
