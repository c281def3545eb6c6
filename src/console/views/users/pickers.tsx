import { may, useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Select } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { wallTimeText } from "../../ui/wall-time.tsx"

export interface Picking {
  name: string
  chosen: readonly Choice[]
  onChoose: (chosen: readonly Choice[]) => void
}

/** @param groupId only courses in which this group has seats */
export const CoursePicker = ({ groupId, ...picking }: Picking & { groupId?: number | undefined }) => (
  <Picker
    label={t("users:courses")}
    path="/api/courses/tabularlist"
    query={(courseName) => ({
      ...(groupId && { group_id: groupId }),
      ...(courseName && { search_param: { courseName } }),
    })}
    choiceOf={({ id, name }) => ({ id, name })}
    {...picking}
  />
)

export const UserPicker = (picking: Picking) => (
  <Picker
    label={t("users:title")}
    path="/api/users/lookup"
    query={(search_term) => (search_term ? { search_term } : {})}
    choiceOf={({ id, full_name, email }) => ({ id, name: `${full_name} (${email})` })}
    {...picking}
  />
)

interface PickingOne {
  name: string
  value?: Choice | undefined
  onPick?: (picked: Choice | undefined) => void
  required?: boolean
}

export const GroupPicker = (picking: PickingOne) => (
  <Combobox
    label={t("users:group")}
    path="/api/group/tabularlist"
    by="name"
    pick={({ id, name }) => ({ id, name })}
    {...picking}
  />
)

export const MembershipPicker = (picking: PickingOne) => (
  <Combobox
    label={t("users:membership")}
    path="/api/membership/tabularlist"
    by="name"
    pick={({ id, name }) => ({ id, name })}
    {...picking}
  />
)

export const ClassPicker = (picking: Picking) => (
  <Picker
    label={t("users:classes")}
    path="/api/class/tabularlist"
    query={(courseName) => ({
      order_by: { colName: "start_time", direction: "desc" },
      ...(courseName && { search_param: { courseName } }),
    })}
    choiceOf={({ id, course_name, start_time, timeZone }) => ({
      id,
      name: `${course_name}, ${wallTimeText({ value: start_time, zone: timeZone })}`,
    })}
    {...picking}
  />
)

/** Whose seats an enrollment takes: below staff it must be a group that the caller administers. */
export function OwnGroup({ onChange }: { onChange: (id: number | undefined) => void }) {
  const me = useMe()
  if (may(me, "staff")) return null
  return (
    <Select
      name="group_id"
      label={t("users:group")}
      hint={t("users:group.hint")}
      required
      none={t("users:group.choose")}
      options={me.scope.groups.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(value) => onChange(Number(value) || undefined)}
    />
  )
}
