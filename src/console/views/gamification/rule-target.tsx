import type { ListPath, RecordOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { dateTime, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"

interface TargetProps {
  /** The current target record; undefined: any. */
  id: number | undefined
}

interface TargetComboboxProps<Path extends ListPath> extends TargetProps {
  label: string
  path: Path
  searchBy: string
  toChoice: (row: RecordOf<Path>) => Choice
  /** Name of the target; undefined while it loads. */
  name: string | undefined
}

const TargetCombobox = <Path extends ListPath>({ id, name, ...props }: TargetComboboxProps<Path>) => (
  <Combobox
    name="targetId"
    hint={t("gamification:event.any")}
    value={id === undefined ? undefined : { id, name: name ?? String(id) }}
    {...props}
  />
)

const toChoice = ({ id, name }: Choice) => ({ id, name })
const readById = (id: number | undefined) =>
  [{ params: { path: { id: id ?? 0 } } }, { enabled: id !== undefined }] as const

function CourseTarget({ id }: TargetProps) {
  const { data } = useRead("/api/course/{id}", ...readById(id))
  const list = { path: "/api/courses/tabularlist", searchBy: "courseName", toChoice } as const
  return <TargetCombobox id={id} name={data?.name} label={t("gamification:course")} {...list} />
}

function PathTarget({ id }: TargetProps) {
  const { data } = useRead("/api/learningpath/{id}", ...readById(id))
  const list = { path: "/api/learningpath/tabularlist", searchBy: "name", toChoice } as const
  return <TargetCombobox id={id} name={data?.name} label={t("gamification:event.path")} {...list} />
}

function QuizTarget({ id }: TargetProps) {
  const { data } = useRead("/api/modules/quiz/{id}", ...readById(id))
  const list = { path: "/api/modules/quiz", searchBy: "moduleName", toChoice } as const
  return <TargetCombobox id={id} name={data?.name} label={t("gamification:event.quiz")} {...list} />
}

function AssignmentTarget({ id }: TargetProps) {
  const { data } = useRead("/api/modules/assignment/{id}", ...readById(id))
  const list = { path: "/api/modules/assignment", searchBy: "moduleName", toChoice } as const
  return <TargetCombobox id={id} name={data?.name} label={t("gamification:event.assignment")} {...list} />
}

const classLabel = (course: string, start: string) => `${course}, ${dateTime(new Date(start))}`

function ClassTarget({ id }: TargetProps) {
  const { data } = useRead(
    "/api/class/get-class-schedules",
    { params: { query: { classId: id ?? 0, page_size: 1 } } },
    { enabled: id !== undefined },
  )
  const [first] = data?.classes ?? []
  return (
    <TargetCombobox
      id={id}
      name={first && classLabel(first.course_name, first.start_time)}
      label={t("gamification:event.class")}
      path="/api/class/tabularlist"
      searchBy="courseName"
      toChoice={({ id, course_name, startsAt }) => ({ id, name: classLabel(course_name, startsAt) })}
    />
  )
}

/** Target fields by trigger; sign-in has none. */
export const TARGET_FIELDS: Record<string, (props: TargetProps) => preact.JSX.Element> = {
  course_completed: CourseTarget,
  learning_path_completed: PathTarget,
  quiz_passed: QuizTarget,
  assignment_accepted: AssignmentTarget,
  class_attended: ClassTarget,
}
