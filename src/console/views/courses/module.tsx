import { useRoute } from "preact-iso"
import { useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { isModuleType, labelFor } from "./labels.ts"
import type { ModuleType } from "./module-form.ts"
import { ModuleForm } from "./module-forms.tsx"
import "./courses.css"
import { Badge } from "../../ui/badge.tsx"

const parentLink = (type: ModuleType) => ({ href: `/console/modules?tab=${type}`, label: t("courses:modules.title") })

function EditModule({ type, id }: { type: ModuleType; id: number }) {
  const module = useEditableRecord(`/api/modules/${type}/{id}`, { params: { path: { id } } })
  return (
    <Loaded query={module} parent={parentLink(type)}>
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
          <ModuleForm key={id} type={type} module={record} version={version} refetch={module.refetch} />
        </Page>
      )}
    </Loaded>
  )
}

function NewModule({ type }: { type: ModuleType }) {
  return (
    <Page title={t("courses:modules.new-of-type", { type: labelFor("type", type) })} parent={parentLink(type)}>
      <ModuleForm type={type} />
    </Page>
  )
}

/** Edits or creates a module of the type in the URL. */
export default function Module() {
  const { type, id } = useRoute().params
  if (!isModuleType(type))
    return (
      <Page title={t("not-found.title")} parent={{ href: "/console/modules", label: t("courses:modules.title") }}>
        {t("not-found.text")}
      </Page>
    )
  return id === "new" ? <NewModule type={type} /> : <EditModule type={type} id={Number(id)} />
}
