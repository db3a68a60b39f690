/** How lists are sorted by mouse or touch: they announce moves themselves, in their own words. */
import { MouseSensor, TouchSensor, useSensor, useSensors, type DndContextProps } from '@dnd-kit/core';

/** The pointer starts to drag after this distance, or after a touch of this duration; a shorter touch scrolls. */
const DRAG_FROM_PX = 6;
const LONG_PRESS = { delay: 250, tolerance: 8 };
const nothing = () => undefined;

export const useDragSensors = () =>
  useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_FROM_PX } }),
    useSensor(TouchSensor, { activationConstraint: LONG_PRESS }),
  );

/** Nothing of dnd-kit's own for screen readers. */
export const OWN_ANNOUNCEMENTS = {
  screenReaderInstructions: { draggable: '' },
  announcements: { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing },
} satisfies DndContextProps['accessibility'];
