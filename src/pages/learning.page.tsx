import type { ApiError } from "../lib/errors.ts"
import { statusText, type Words } from "../lib/texts/texts.ts"
import { FormError } from "./form-error.tsx"
import { Layout, useWords } from "./page.tsx"

interface Progress {
  /** null: not enrolled. */
  status: string | null
  percent: number | null
}

export function progressText({ status, percent }: Progress, words: Words): string {
  const { t } = words
  if (status === null) return t("course.not-enrolled")
  return t("course.progress", { status: statusText(words, status), percent: words.percent((percent ?? 0) / 100) })
}

interface Course extends Progress {
  name: string
  slug: string
  modules: { name: string; type: string; status: string | null }[]
  /** Whether users can enroll themselves, and whether that requires a key: 1 or 0. */
  takesSelfEnrollment: number
  asksForKey: number
}

/** The form for self-enrollment. It works without JavaScript. */
const EnrollForm = ({ course, error }: { course: Course; error: ApiError | undefined }) => {
  const { t } = useWords()
  return (
    <form method="post" action={`/course/${course.slug}/enroll`} aria-describedby={error ? "error" : undefined}>
      {course.asksForKey ? (
        <>
          <label for="enrollment_key">{t("course.key")}</label>
          <input
            id="enrollment_key"
            name="enrollment_key"
            type="text"
            autocomplete="off"
            autocapitalize="none"
            required
            aria-invalid={error ? "true" : undefined}
          />
        </>
      ) : null}
      <button type="submit">{t("course.enroll")}</button>
    </form>
  )
}

/** The page behind `courseSlug`. @param error why self-enrollment was refused */
export const CoursePage = ({ course, error }: { course: Course; error?: ApiError | undefined }) => {
  const words = useWords()
  const { t } = words
  return (
    <Layout title={course.name}>
      <main class="wide">
        <h1>{course.name}</h1>
        <p class="quiet">{progressText(course, words)}</p>
        <FormError error={error} />
        {course.status === null && course.takesSelfEnrollment ? <EnrollForm course={course} error={error} /> : null}
        <ol class="rows card">
          {course.modules.map((module) => (
            <li>
              <span dir="auto">
                {t("course.module", { name: module.name, type: statusText(words, module.type, "module") })}
              </span>
              {course.status !== null && <span>{statusText(words, module.status ?? "Not Started")}</span>}
            </li>
          ))}
        </ol>
      </main>
    </Layout>
  )
}

/** The page behind `launchSlug`. */
export const LearningPathPage = ({
  path,
}: {
  path: Progress & { name: string; courses: (Progress & { name: string; slug: string })[] }
}) => {
  const words = useWords()
  return (
    <Layout title={path.name}>
      <main class="wide">
        <h1>{path.name}</h1>
        <p class="quiet">{progressText(path, words)}</p>
        <ol class="rows card">
          {path.courses.map((course) => (
            <li>
              <a href={`/course/${course.slug}`}>{course.name}</a>
              <span>{progressText(course, words)}</span>
            </li>
          ))}
        </ol>
      </main>
    </Layout>
  )
}

export const UnknownLearningPage = () => {
  const { t } = useWords()
  return (
    <Layout title={t("course.unknown")}>
      <main>
        <h1>{t("course.unknown")}</h1>
        <p class="error">{t("course.unknown-text")}</p>
      </main>
    </Layout>
  )
}
