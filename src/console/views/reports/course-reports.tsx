import { ChartColumn } from "lucide-preact"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Select } from "../../ui/form.tsx"
import { FilterField } from "../../ui/listing.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { CourseActivity } from "./course-activity.tsx"
import { CourseDropOff } from "./course-drop-off.tsx"
import { QuizScores } from "./quiz-scores.tsx"

const parseId = (text: string | undefined) => (text && /^[1-9]\d*$/.test(text) ? Number(text) : undefined)

/** A date filter, stored in the URL. */
function DateField({ name, label }: { name: "from" | "to"; label: string }) {
  const { query, change } = useUrlState()
  return (
    <FilterField
      filter={{ name, label, type: "date" }}
      value={query[name] ?? ""}
      onChange={(day) => change({ [name]: day }, { replace: true })}
    />
  )
}

/** The charts of the course in the URL, or of all courses. */
export function CourseReports() {
  const { query, change } = useUrlState()
  const course = parseId(query.course)
  const courseQuery = useRead(
    "/api/course/{id}",
    { params: { path: { id: course ?? 0 } } },
    { enabled: course !== undefined },
  )
  const quizzes = (courseQuery.data?.modules ?? []).filter(({ type }) => type === "quiz")
  const quiz = quizzes.find(({ module_id }) => module_id === parseId(query.quiz)) ?? quizzes[0]
  return (
    <section class="in-order" aria-label={t("reports:by-course")}>
      <search class="filters">
        <Combobox
          name="course"
          label={t("reports:course")}
          path="/api/courses/tabularlist"
          searchBy="courseName"
          toChoice={({ id, name }) => ({ id, name })}
          value={courseQuery.data && course !== undefined ? { id: course, name: courseQuery.data.name } : undefined}
          onSelect={(selected) => change({ course: selected?.id, quiz: undefined })}
        />
        <DateField name="from" label={t("reports:from")} />
        <DateField name="to" label={t("reports:to")} />
        {quizzes.length > 1 && (
          <Select
            name="quiz"
            label={t("reports:quiz")}
            value={quiz?.module_id}
            options={quizzes.map(({ module_id, name }) => ({ value: module_id, label: name }))}
            onChange={(selected) => change({ quiz: selected })}
          />
        )}
      </search>
      <CourseActivity course={course} />
      {course === undefined ? (
        <EmptyState icon={ChartColumn} text={t("reports:choose")} />
      ) : (
        <>
          <CourseDropOff course={course} />
          {quiz ? (
            <QuizScores course={course} quiz={quiz.module_id} />
          ) : (
            courseQuery.data && <EmptyState icon={ChartColumn} text={t("reports:no-quiz")} />
          )}
        </>
      )}
    </section>
  )
}
