import { Layout } from "./page.tsx"

const MODULE_TYPES: Record<string, string> = {
  text: "Text",
  video: "Video",
  quiz: "Quiz",
  scorm: "SCORM lesson",
  assignment: "Assignment",
}

interface Progress {
  /** null: not enrolled. */
  status: string | null
  percent: number | null
}

const progressText = ({ status, percent }: Progress) =>
  status === null ? "Not enrolled" : `${status}, ${percent}% complete`

interface Course extends Progress {
  name: string
  slug: string
  modules: { name: string; type: string; status: string | null }[]
  /** Whether users can enroll themselves, and whether that requires a key: 1 or 0. */
  takesSelfEnrollment: number
  asksForKey: number
}

/** The form for self-enrollment. It works without JavaScript. */
const EnrollForm = ({ course, error }: { course: Course; error: string | undefined }) => (
  <form method="post" action={`/course/${course.slug}/enroll`} aria-describedby={error ? "error" : undefined}>
    {course.asksForKey ? (
      <>
        <label for="enrollment_key">Enrollment key</label>
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
    <button type="submit">Enroll</button>
  </form>
)

/** The page behind `courseSlug`. @param error why self-enrollment was refused */
export const CoursePage = ({ course, error }: { course: Course; error?: string | undefined }) => (
  <Layout title={course.name}>
    <main class="wide">
      <h1>{course.name}</h1>
      <p class="quiet">{progressText(course)}</p>
      {error && (
        <p id="error" class="error" role="alert">
          {error}
        </p>
      )}
      {course.status === null && course.takesSelfEnrollment ? <EnrollForm course={course} error={error} /> : null}
      <ol class="rows card">
        {course.modules.map((module) => (
          <li>
            <span dir="auto">{`${module.name} (${MODULE_TYPES[module.type] ?? module.type})`}</span>
            {course.status !== null && <span>{module.status ?? "Not Started"}</span>}
          </li>
        ))}
      </ol>
    </main>
  </Layout>
)

/** The page behind `launchSlug`. */
export const LearningPathPage = ({
  path,
}: {
  path: Progress & { name: string; courses: (Progress & { name: string; slug: string })[] }
}) => (
  <Layout title={path.name}>
    <main class="wide">
      <h1>{path.name}</h1>
      <p class="quiet">{progressText(path)}</p>
      <ol class="rows card">
        {path.courses.map((course) => (
          <li>
            <a href={`/course/${course.slug}`}>{course.name}</a>
            <span>{progressText(course)}</span>
          </li>
        ))}
      </ol>
    </main>
  </Layout>
)

export const UnknownLearningPage = () => (
  <Layout title="Not found">
    <main>
      <h1>Not found</h1>
      <p class="error">This page doesn't exist or you don't have access.</p>
    </main>
  </Layout>
)
