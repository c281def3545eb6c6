import { useRead } from "../api/queries.ts"
import { number } from "../messages/messages.ts"

/** A link to a course with its name, for lists that have only its ID. */
export function CourseLink({ id }: { id: number }) {
  const course = useRead("/api/course/{id}", { params: { path: { id } } })
  return (
    <a href={`/console/courses/${id}`} dir="auto">
      {course.data?.name ?? `#${number(id)}`}
    </a>
  )
}
