import { Layout } from "./page.tsx"

interface Standing {
  /** null: not enrolled. */
  status: string | null
  percent: number | null
}

const standing = ({ status, percent }: Standing) => (status === null ? "Not enrolled" : `${status}, ${percent} percent`)

/** A course as `courseSlug` leads to it. */
export const CoursePage = ({
  course,
}: {
  course: Standing & { name: string; modules: { name: string; type: string; status: string | null }[] }
}) => (
  <Layout title={course.name}>
    <main>
      <h1>{course.name}</h1>
      <p>{standing(course)}</p>
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
