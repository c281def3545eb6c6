import { useId } from "preact/hooks"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Select } from "../../ui/form.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { CourseDays } from "./course-activity.tsx"
import { CourseModules } from "./course-drop-off.tsx"
import { QuizScores } from "./quiz-scores.tsx"

const idIn = (text: string | undefined) => (text && /^[1-9]\d*$/.test(text) ? Number(text) : undefined)

/** A day in the address. */
function Day({ name, label }: { name: "from" | "to"; label: string }) {
  const id = useId()
  const { query, change } = useAddress()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        value={query[name] ?? ""}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
      />
    </div>
  )
}

/** The figures of a course that the address names, or of all courses together. */
export function CourseFigures() {
  const { query, change } = useAddress()
  const course = idIn(query.course)
  const read = useRead("/api/course/{id}", { params: { path: { id: course ?? 0 } } }, { enabled: course !== undefined })
  const quizzes = (read.data?.modules ?? []).filter(({ type }) => type === "quiz")
  const quiz = quizzes.find(({ module_id }) => module_id === idIn(query.quiz)) ?? quizzes[0]
  return (
    <section class="in-order" aria-label={t("reports:by-course")}>
      <search class="filters">
        <Combobox
          name="course"
          label={t("reports:course")}
          path="/api/courses/tabularlist"
          by="courseName"
          pick={({ id, name }) => ({ id, name })}
          value={read.data && course !== undefined ? { id: course, name: read.data.name } : undefined}
          onPick={(picked) => change({ course: picked?.id, quiz: undefined })}
        />
        <Day name="from" label={t("reports:from")} />
        <Day name="to" label={t("reports:to")} />
        {quizzes.length > 1 && (
          <Select
            name="quiz"
            label={t("reports:quiz")}
            value={quiz?.module_id}
            options={quizzes.map(({ module_id, name }) => ({ value: module_id, label: name }))}
            onChange={(one) => change({ quiz: one })}
          />
        )}
      </search>
      <CourseDays course={course} />
      {course === undefined ? (
        <p class="empty">{t("reports:choose")}</p>
      ) : (
        <>
          <CourseModules course={course} />
          {quiz ? (
            <QuizScores course={course} quiz={quiz.module_id} />
          ) : (
            read.data && <p class="empty">{t("reports:no-quiz")}</p>
          )}
        </>
      )}
    </section>
  )
}
