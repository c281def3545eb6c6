import type { FunctionComponent } from "preact"
import { useRoute } from "preact-iso"
import { useEditableRecord, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { isModuleType, labelFor } from "./labels.ts"
import { AssignmentModule } from "./module-assignment.tsx"
import type { ModuleFormProps, ModuleType } from "./module-form.ts"
import { QuizModule } from "./module-quiz.tsx"
import { ScormModule } from "./module-scorm.tsx"
import { TextModule } from "./module-text.tsx"
import { VideoModule } from "./module-video.tsx"
import { useTargetCourseId } from "./save-module.ts"
import "./courses.css"
import { Badge } from "../../ui/badge.tsx"

const FORMS: { [Type in ModuleType]: FunctionComponent<ModuleFormProps<Type>> } = {
  text: TextModule,
  video: VideoModule,
  quiz: QuizModule,
  assignment: AssignmentModule,
  scorm: ScormModule,
}

const parentLink = (type: ModuleType) => ({ href: `/console/modules?tab=${type}`, label: t("courses:modules.title") })

function EditModule({ type, id }: { type: ModuleType; id: number }) {
  const module = useEditableRecord(`/api/modules/${type}/{id}`, { params: { path: { id } } })
  const Form = FORMS[type] as FunctionComponent<ModuleFormProps<ModuleType>>
  return (
    <Loaded query={module}>
      {({ record, version }) => (
        <Page title={record.name} parent={parentLink(type)}>
          <p>
            <Badge>{labelFor("type", type)}</Badge>{" "}
            {record.courses.length === 0 ? t("courses:module.not-used") : t("courses:module.used-in")}{" "}
            {record.courses.map(({ course_id, course_name }, index) => (
              <span key={course_id}>
                {index > 0 && ", "}
                <a href={`/console/courses/${course_id}?tab=modules`}>{course_name}</a>
              </span>
            ))}
          </p>
          <Form key={id} module={record} version={version} refetch={module.refetch} />
        </Page>
      )}
    </Loaded>
  )
}

function NewModule({ type }: { type: ModuleType }) {
  const courseId = useTargetCourseId()
  const course = useRead(
    "/api/course/{id}",
    { params: { path: { id: courseId ?? 0 } } },
    { enabled: courseId !== undefined },
  )
  const Form = FORMS[type] as FunctionComponent<ModuleFormProps<ModuleType>>
  const parent =
    courseId === undefined
      ? parentLink(type)
      : { href: `/console/courses/${courseId}?tab=modules`, label: course.data?.name ?? t("courses:courses.title") }
  return (
    <Page title={t("courses:modules.new-of-type", { type: labelFor("type", type) })} parent={parent}>
      {courseId !== undefined && <p>{t("courses:modules.new.for", { course: course.data?.name ?? "" })}</p>}
      <Form />
    </Page>
  )
}

/** Edits or creates a module of the type in the URL. */
export default function Module() {
  const { type, id } = useRoute().params
  if (!isModuleType(type)) return <Page title={t("not-found.title")}>{t("not-found.text")}</Page>
  return id === "new" ? <NewModule type={type} /> : <EditModule type={type} id={Number(id)} />
}
