import { useMe } from "../../api/me.tsx"
import { useListPage, useReads } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import type { Enrollment } from "./my-courses.tsx"
import { continueUrl } from "./shared.tsx"

const MAX_PATHS = 5
const MAX_COURSES = 50

/** The ids of the courses that follow a course in the user's learning paths, the next one first. */
function useFollowingCourses(userId: number, courseId: number) {
  const enrolled = useListPage("/api/users/enrolled-learningpaths", {
    query: { user_id: userId, search_param: { status: ["In Progress", "Not Started"] } },
    page: undefined,
    size: MAX_PATHS,
  })
  const paths = useReads(
    "/api/learningpath/{id}",
    (enrolled.data?.records ?? []).map(({ learningPathId }) => ({ params: { path: { id: learningPathId } } })),
  )
  const data =
    enrolled.data &&
    paths.data?.flatMap(({ course_ids }) => {
      const index = course_ids.indexOf(courseId)
      return index < 0 ? [] : [...course_ids.slice(index + 1), ...course_ids.slice(0, index)]
    })
  return { data, error: enrolled.error ?? paths.error }
}

/** Links to the next course of the learning path, to another unfinished course, or to the catalog. */
export function NextCourse({ enrollment }: { enrollment: Enrollment }) {
  const me = useMe()
  const following = useFollowingCourses(me.id, enrollment.courseId)
  const others = useListPage("/api/users/enrolled-courses", {
    query: {
      user_id: me.id,
      manage_course: false,
      search_param: { status: ["In Progress", "Not Started"] },
      order_by: { colName: "lastAccessed", direction: "desc" },
    },
    page: undefined,
    size: MAX_COURSES,
  })
  return (
    <Loaded query={others}>
      {({ records }) => (
        <Loaded query={following}>
          {(courseIds) => {
            const open = records.filter(({ id, isExpired }) => id !== enrollment.id && !isExpired)
            const inPath = courseIds.flatMap((courseId) => open.find((other) => other.courseId === courseId) ?? [])[0]
            const next = inPath ?? open[0]
            return (
              <p class="next-course">
                {inPath && <span class="quiet">{t("learner:next-in-path")}</span>}
                {next ? (
                  <a class="button" href={continueUrl(next.courseId, next.id)}>
                    {t("learner:continue-with", { module: next.courseName })}
                  </a>
                ) : (
                  <a class="button" href="/console/learning/library">
                    {t("learner:choose-next")}
                  </a>
                )}
              </p>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}
