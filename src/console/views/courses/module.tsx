import type { FunctionComponent } from "preact"
import { useRoute } from "preact-iso"
import { useRead, useRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { isModuleType, wordOf } from "./labels.ts"
import { AssignmentModule } from "./module-assignment.tsx"
import type { ModuleFormProps, ModuleType } from "./module-form.ts"
import { QuizModule } from "./module-quiz.tsx"
import { ScormModule } from "./module-scorm.tsx"
import { TextModule } from "./module-text.tsx"
import { VideoModule } from "./module-video.tsx"
import { useCourseOfNew } from "./save-module.ts"
import "./courses.css"

const FORMS: { [Type in ModuleType]: FunctionComponent<ModuleFormProps<Type>> } = {
  text: TextModule,
  video: VideoModule,
  quiz: QuizModule,
  assignment: AssignmentModule,
  scorm: ScormModule,
}

const back = (type: ModuleType) => ({ href: `/console/modules?tab=${type}`, label: t("courses:modules.title") })

function Kept({ type, id }: { type: ModuleType; id: number }) {
  const read = useRecord(`/api/modules/${type}/{id}`, { params: { path: { id } } })
  const Form = FORMS[type] as FunctionComponent<ModuleFormProps<ModuleType>>
  return (
    <Loaded of={read}>
      {({ record, version }) => (
        <Page title={record.name} within={back(type)}>
          <p>
            <span class="badge">{wordOf("type", type)}</span>{" "}
            {record.courses.length === 0 ? t("courses:module.not-used") : t("courses:module.used-in")}{" "}
            {record.courses.map(({ course_id, course_name }, at) => (
              <span key={course_id}>
                {at > 0 && ", "}
                <a href={`/console/courses/${course_id}?tab=modules`}>{course_name}</a>
              </span>
            ))}
          </p>
          <Form key={id} module={record} version={version} reread={read.refetch} />
        </Page>
      )}
    </Loaded>
  )
}

/** A module that is to be. */
function New({ type }: { type: ModuleType }) {
  const courseId = useCourseOfNew()
  const course = useRead(
    "/api/course/{id}",
    { params: { path: { id: courseId ?? 0 } } },
    { enabled: courseId !== undefined },
  )
  const Form = FORMS[type] as FunctionComponent<ModuleFormProps<ModuleType>>
  const within =
    courseId === undefined
      ? back(type)
      : { href: `/console/courses/${courseId}?tab=modules`, label: course.data?.name ?? t("courses:courses.title") }
  return (
    <Page title={t("courses:modules.new-of-type", { type: wordOf("type", type) })} within={within}>
      {courseId !== undefined && <p>{t("courses:modules.new.for", { course: course.data?.name ?? "" })}</p>}
      <Form />
    </Page>
  )
}

/** One module, of the type that the address names: to be changed, or a new one. */
export default function Module() {
  const { type, id } = useRoute().params
  if (!isModuleType(type)) return <Page title={t("not-found.title")}>{t("not-found.text")}</Page>
  return id === "new" ? <New type={type} /> : <Kept type={type} id={Number(id)} />
}
