/**
 * The icons in use, and no others (each is some 200 bytes in the browser). They take the size
 * of the text beside them and say nothing to screen readers: the control's own name does.
 */
export {
  ArrowLeft, Check, ChevronDown, ChevronLeft, ChevronRight, CircleAlert, CircleCheck, Download, Heart, ImageOff, Images, LayoutDashboard, Lock,
  LogIn, LogOut, Plus, Search, SearchX, ServerCrash, ShoppingBag, Timer, Upload, X,
} from 'lucide-react';
