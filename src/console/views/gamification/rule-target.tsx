import type { ListPath, RecordOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"

interface TargetProps {
  /** The record that the event is about so far; undefined: any. */
  id: number | undefined
}

interface TargetBoxProps<Path extends ListPath> extends TargetProps {
  label: string
  path: Path
  by: string
  pick: (row: RecordOf<Path>) => Choice
  /** How the record is called; undefined: not read yet. */
  name: string | undefined
}

const TargetBox = <Path extends ListPath>({ id, name, ...list }: TargetBoxProps<Path>) => (
  <Combobox
    name="targetId"
    hint={t("gamification:event.any")}
    value={id === undefined ? undefined : { id, name: name ?? String(id) }}
    {...list}
  />
)

const named = ({ id, name }: Choice) => ({ id, name })
const at = (id: number | undefined) => [{ params: { path: { id: id ?? 0 } } }, { enabled: id !== undefined }] as const

function CourseTarget({ id }: TargetProps) {
  const { data } = useRead("/api/course/{id}", ...at(id))
  const list = { path: "/api/courses/tabularlist", by: "courseName", pick: named } as const
  return <TargetBox id={id} name={data?.name} label={t("gamification:course")} {...list} />
}

function PathTarget({ id }: TargetProps) {
  const { data } = useRead("/api/learningpath/{id}", ...at(id))
  const list = { path: "/api/learningpath/tabularlist", by: "name", pick: named } as const
  return <TargetBox id={id} name={data?.name} label={t("gamification:event.path")} {...list} />
}

function QuizTarget({ id }: TargetProps) {
  const { data } = useRead("/api/modules/quiz/{id}", ...at(id))
  const list = { path: "/api/modules/quiz", by: "moduleName", pick: named } as const
  return <TargetBox id={id} name={data?.name} label={t("gamification:event.quiz")} {...list} />
}

function AssignmentTarget({ id }: TargetProps) {
  const { data } = useRead("/api/modules/assignment/{id}", ...at(id))
  const list = { path: "/api/modules/assignment", by: "moduleName", pick: named } as const
  return <TargetBox id={id} name={data?.name} label={t("gamification:event.assignment")} {...list} />
}

const classNamed = ({ course_name, start_time }: { course_name: string; start_time: string }) =>
  `${course_name}, ${start_time}`

function ClassTarget({ id }: TargetProps) {
  const { data } = useRead(
    "/api/class/get-class-schedules",
    { params: { query: { classId: id ?? 0, page_size: 1 } } },
    { enabled: id !== undefined },
  )
  const [first] = data?.classes ?? []
  return (
    <TargetBox
      id={id}
      name={first && classNamed(first)}
      label={t("gamification:event.class")}
      path="/api/class/tabularlist"
      by="courseName"
      pick={(row) => ({ id: row.id, name: classNamed(row) })}
    />
  )
}

/** What picks the record that an event of a type is about; a sign-in is about none. */
export const TARGETS: Record<string, (props: TargetProps) => preact.JSX.Element> = {
  course_completed: CourseTarget,
  learning_path_completed: PathTarget,
  quiz_passed: QuizTarget,
  assignment_accepted: AssignmentTarget,
  class_attended: ClassTarget,
}
