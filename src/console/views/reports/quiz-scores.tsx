import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"

/** Ten bins of ten percent; the last one includes 100. */
const BINS = Array.from({ length: 10 }, (_, index) => ({ from: index * 10, to: index === 9 ? 100 : index * 10 + 9 }))

/** Score distribution of a quiz. */
export function QuizScores({ course, quiz }: { course: number; quiz: number }) {
  const report = useRead("/api/quiz-report/scores", { params: { query: { course_id: course, module_id: quiz } } })
  const series = t("reports:attempts")
  const binLabel = ({ from, to }: (typeof BINS)[number]) => `${number(from)}–${number(to)}`
  return (
    <Loaded query={report}>
      {({ name, attempts, passed, scores }) => (
        <Chart
          title={t("reports:scores.title", { name })}
          description={t("reports:scores.about", {
            count: attempts,
            shown: number(attempts),
            passed: number(passed),
          })}
          kind="bars"
          axis={t("reports:percent")}
          series={[series]}
          labels={BINS.map(binLabel)}
          points={BINS.map((bin) => ({
            series,
            at: binLabel(bin),
            value: scores
              .filter(({ percent }) => percent >= bin.from && percent <= bin.to)
              .reduce((sum, score) => sum + score.attempts, 0),
          }))}
          filename="quiz-scores"
        />
      )}
    </Loaded>
  )
}
