import type { LecternClient } from "../../src/client/index.ts"
import { each } from "../lib/client.ts"
import { Store } from "./store.ts"

// Reads an academy from its lists. Details are read with several calls at once.

const WIDTH = 4

export async function readSnapshot(client: LecternClient): Promise<Store> {
  const store = new Store()
  const userIds = await readUsers(client, store)
  await readGroups(client, store)
  await readPortals(client, store)
  await readCourses(client, store)
  await readClasses(client, store)
  await each(userIds, WIDTH, async (id) => {
    for await (const certificate of client.list("/api/user-certificates/{id}", { path: { id } }))
      store.put("certificates", certificate)
  })
  for await (const order of client.list("/api/order/tabularlist")) store.put("orders", order)
  return store
}

async function readUsers(client: LecternClient, store: Store): Promise<number[]> {
  const ids: number[] = []
  for await (const user of client.list("/api/users/tabularlist")) {
    const { id, email, first_name: firstName, last_name: lastName, user_type: userType, is_disabled: disabled } = user
    store.put("users", { id, firstName, lastName, email, userType, disabled })
    ids.push(id)
  }
  return ids
}

async function readGroups(client: LecternClient, store: Store) {
  for await (const group of client.list("/api/group/tabularlist")) {
    const groupId = group.id
    store.put("groups", group)
    for await (const { id: userId } of client.list("/api/users/tabularlist", { query: { group_id: groupId } }))
      store.put("group_members", { groupId, userId })
    const { data } = await client.GET("/api/group/{id}", { params: { path: { id: groupId } } })
    for (const userId of data.admin_ids) store.put("group_admins", { groupId, userId })
  }
}

async function readPortals(client: LecternClient, store: Store) {
  for await (const portal of client.list("/api/portal/tabularlist")) {
    const portalId = portal.id
    store.put("portals", portal)
    for await (const { id: userId } of client.list("/api/users/tabularlist", { query: { portalId } }))
      store.put("portal_members", { portalId, userId })
    const { data } = await client.GET("/api/portal/{id}", { params: { path: { id: portalId } } })
    for (const userId of data.admin_ids) {
      store.put("portal_admins", { portalId, userId })
      store.remove("portal_members", { portalId, userId })
    }
  }
}

async function readCourses(client: LecternClient, store: Store) {
  const registrationIds: number[] = []
  for await (const course of client.list("/api/courses/tabularlist")) {
    store.put("courses", course)
    const { data } = await client.GET("/api/course/{id}", { params: { path: { id: course.id } } })
    for (const { module_id: moduleId } of data.modules) store.put("course_modules", { courseId: course.id, moduleId })
    const query = { course_id: course.id, group_id: "" }
    for await (const student of client.list("/api/course/enrolled-students", { query })) {
      const { user_id: userId, percentComplete: percent } = student
      store.put("enrollments", { ...student, userId, courseId: course.id, percent })
      registrationIds.push(student.id)
    }
  }
  await each(registrationIds, WIDTH, async (registrationId) => {
    const { data } = await client.GET("/api/course/modules", { params: { query: { registrationId } } })
    for (const { module_id: moduleId, status, completed_on: completedAt } of data)
      if (status === "Completed") store.put("modules", { registrationId, moduleId, completedAt })
  })
}

async function readClasses(client: LecternClient, store: Store) {
  const ids: number[] = []
  for await (const { id } of client.list("/api/class/tabularlist")) ids.push(id)
  await each(ids, WIDTH, async (classId) => {
    const { data } = await client.GET("/api/class/edit", { params: { query: { classId } } })
    store.put("classes", data.classDetails)
    for await (const student of client.list("/api/class/enrolled-students", { query: { class_id: classId } }))
      store.put("class_enrollments", { ...student, classId, userId: student.user_id })
  })
}
