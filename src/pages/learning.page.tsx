import { Layout } from "./page.tsx"

interface Standing {
  /** null: not enrolled. */
  status: string | null
  percent: number | null
}

const standing = ({ status, percent }: Standing) => (status === null ? "Not enrolled" : `${status}, ${percent} percent`)

interface Course extends Standing {
  name: string
  slug: string
  modules: { name: string; type: string; status: string | null }[]
  /** Whoever is not enrolled may enroll themselves, with a key where it asks for one. 1 and 0: yes and no. */
  takesSelfEnrollment: number
  asksForKey: number
}

/** The button by which people enroll themselves. It works without JavaScript. */
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
    <button type="submit">Enroll me</button>
  </form>
)

/** A course as `courseSlug` leads to it. @param error why an attempt to enroll was refused */
export const CoursePage = ({ course, error }: { course: Course; error?: string | undefined }) => (
  <Layout title={course.name}>
    <main>
      <h1>{course.name}</h1>
      <p>{standing(course)}</p>
      {error && (
        <p id="error" class="error" role="alert">
          {error}
        </p>
      )}
      {course.status === null && course.takesSelfEnrollment ? <EnrollForm course={course} error={error} /> : null}
      <ol>
        {course.modules.map((module) => (
          <li>
            {`${module.name} (${module.type})`}
            {course.status !== null && `: ${module.status ?? "Not Started"}`}
          </li>
        ))}
      </ol>
    </main>
  </Layout>
)

/** A learning path as `launchSlug` leads to it. */
export const LearningPathPage = ({
  path,
}: {
  path: Standing & { name: string; courses: (Standing & { name: string; slug: string })[] }
}) => (
  <Layout title={path.name}>
    <main>
      <h1>{path.name}</h1>
      <p>{standing(path)}</p>
      <ol>
        {path.courses.map((course) => (
          <li>
            <a href={`/course/${course.slug}`}>{course.name}</a>
            {`: ${standing(course)}`}
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
      <p class="error">There is nothing here for you, or it has been taken away.</p>
    </main>
  </Layout>
)
