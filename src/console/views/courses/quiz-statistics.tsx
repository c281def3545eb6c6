import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { labelFor } from "./labels.ts"
import "./courses.css"

type Question = DataOf<"/api/quiz/statistics", "get">["questions"][number]

/** Below this, a question hardly separates strong from weak learners. */
const WEAK_DISCRIMINATION = 0.1
/** Fewer attempts say little. */
const ENOUGH_ATTEMPTS = 20

function Answers({ question }: { question: Question }) {
  const most = Math.max(1, question.presented)
  return (
    <ul class="answer-bars">
      {question.answers.map(({ optionId, answer, isCorrect, count }) => (
        <li key={optionId ?? answer}>
          <span dir="auto">
            {answer} {isCorrect && <Badge status="passed">{t("courses:quiz.correct")}</Badge>}
          </span>
          <meter min={0} max={most} value={count} aria-label={answer}>
            {number(count)}
          </meter>
          <span class="quiet">
            {number(count)} · {percent(count / most)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function QuestionCard({ question, index }: { question: Question; index: number }) {
  const { presented, answered, facility, discrimination } = question
  const isWeak = discrimination !== null && discrimination < WEAK_DISCRIMINATION && presented >= ENOUGH_ATTEMPTS
  return (
    <section class="card" aria-labelledby={`question-${question.questionId}`}>
      <h2 id={`question-${question.questionId}`} class="question-text" dir="auto">
        {number(index + 1)}. {question.text}
      </h2>
      <p>
        <Badge>{labelFor("question", question.type)}</Badge>{" "}
        {question.inBank && <Badge>{t("courses:statistics.in-bank")}</Badge>}{" "}
        {isWeak && <Badge status="returned">{t("courses:statistics.weak")}</Badge>}
      </p>
      <dl class="facts">
        <dt>{t("courses:statistics.answered")}</dt>
        <dd>{t("courses:statistics.of", { count: number(answered), of: number(presented) })}</dd>
        <dt>{t("courses:statistics.facility")}</dt>
        <dd>{percent(facility)}</dd>
        <dt>{t("courses:statistics.discrimination")}</dt>
        <dd>{discrimination === null ? t("none") : number(discrimination, { maximumFractionDigits: 2 })}</dd>
      </dl>
      <Answers question={question} />
    </section>
  )
}

/** How a quiz's questions did: how hard they are, and how they were answered. */
export default function QuizStatistics() {
  const id = Number(useRoute().params.id)
  const statistics = useRead("/api/quiz/statistics", { params: { query: { module_id: id } } })
  return (
    <Loaded query={statistics} parent={{ href: "/console/modules?tab=quiz", label: t("courses:modules.title") }}>
      {({ name, attempts, averagePercent, questions }) => (
        <Page
          title={t("courses:statistics.title", { quiz: name })}
          parent={{ href: `/console/modules/quiz/${id}`, label: name }}
        >
          <p>
            {t("courses:statistics.attempts", { count: number(attempts) })}{" "}
            {averagePercent !== null && t("courses:statistics.average", { percent: percent(averagePercent / 100) })}
          </p>
          <p class="quiet">{t("courses:statistics.hint")}</p>
          {questions.length === 0 && <p>{t("courses:statistics.empty")}</p>}
          {questions.map((question, index) => (
            <QuestionCard key={question.questionId} question={question} index={index} />
          ))}
        </Page>
      )}
    </Loaded>
  )
}
